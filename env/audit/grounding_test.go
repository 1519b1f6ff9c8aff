package audit

import (
	"testing"

	"github.com/privgym/privgym/env/scenario"
	"github.com/privgym/privgym/env/value"
)

func TestGround(t *testing.T) {
	plain := scenario.Parameter{Name: "p", Type: scenario.String}
	text := func(s string) scenario.Text { return scenario.Text{S: s} }
	tool := &scenario.Tool{Description: text("Recodes parcels that a filter selects; its columns are parcel and block.")}
	request := "Parcel 14-207 in block B14 from 12 March 2026 for two hours, price 19.90, at 198.51.100.24."
	g := ground{tool: tool, request: request, text: value.NewText(request + "\n" + toolText(tool))}
	enum, preset := plain, plain
	enum.Enum = []string{"land_use", "zoning"}
	preset.HasDefault, preset.Default = true, text("current")
	date, duration := plain, plain
	date.Kind, duration.Kind = value.Date, value.Duration
	for _, tt := range []struct {
		value   string
		param   scenario.Parameter
		missing string
	}{
		{"14-207", plain, ""},
		{"14-2070", plain, "14-2070"},
		{"b14", plain, ""},
		{"19.9", plain, ""},
		{"block = B14", plain, ""},
		{"SELECT parcel FROM block WHERE price > 19.90", plain, ""},
		{"SELECT owner FROM block", plain, "owner"},
		{"198.51.100.24/32", plain, "32"},
		{"14-207.B14", plain, ""},
		{"14-207.b15", plain, "b15"},
		{"price > 19.90", plain, ""},
		{"zoning", enum, ""},
		{"roads", enum, "roads"},
		{"current", preset, ""},
		{"former", preset, "former"},
		{"2026-03-12", date, ""},
		{"2026-03-13", date, "2026"},
		{"2 hours", duration, ""},
		{"120 minutes", duration, ""},
	} {
		if got := g.missing(tt.value, &tt.param); (got == "") != (tt.missing == "") {
			t.Errorf("%q: missing %q, want %q", tt.value, got, tt.missing)
		}
	}
	for item, want := range map[string]bool{"COUNT": true, "!=": true, "block": true, "owner": false, "B15": false} {
		if got := g.knows(item, &plain); got != want {
			t.Errorf("knows(%q) = %v, want %v", item, got, want)
		}
	}
}
