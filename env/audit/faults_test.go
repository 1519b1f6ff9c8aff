package audit

import "testing"

func TestFaultTexts(t *testing.T) {
	transient := []faultRule{adviceRule, permissionRule, lastingRule}
	permanent := []faultRule{adviceRule, permissionRule, passingRule}
	for _, tt := range []struct {
		text                 string
		transient, permanent string
	}{
		{"The register answered 503; the entry is as it was.", "", "503"},
		{"The broker did not answer within 15 s.", "", "did not answer"},
		{"RequestLimitExceeded: the group was not modified.", "", ""},
		{"The access service timed out; no grant was made.", "", "timed out"},
		{"This count was dropped from the service in the spring release.", "", ""},
		{"Amendments of this type are no longer taken.", "no longer", ""},
		{"The broker has been shut down.", "has been shut down", ""},
		{"The lock was held; nothing has been removed.", "", ""},
		{"No row has been removed.", "", ""},
		{"The tool has been removed, no row changed.", "has been removed", ""},
		{"Try later.", "try", "try"},
		{"The entry was not made. Use the form.", "use the", "use the"},
		{"The file was in use by the importer.", "", ""},
		{"The contact form lost its session.", "", ""},
		{"Session lost. Contact the desk.", "contact the", "contact the"},
		{"Access denied.", "denied", "denied"},
		{"Your role does not cover this.", "your role", "your role"},
		{"The role store was being rebuilt; no role was added.", "", ""},
		{"Answered 403.", "403", "403"},
		{"Exports are temporarily off.", "", "temporarily"},
	} {
		if got, _ := broken(tt.text, transient); got != tt.transient {
			t.Errorf("transient %q: got %q, want %q", tt.text, got, tt.transient)
		}
		if got, _ := broken(tt.text, permanent); got != tt.permanent {
			t.Errorf("permanent %q: got %q, want %q", tt.text, got, tt.permanent)
		}
	}
}
