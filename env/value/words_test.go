package value

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWords(t *testing.T) {
	tests := []struct {
		s    string
		want []string
	}{
		{"", nil},
		{" -- , ... ", nil},
		{"SKU 7731", []string{"sku", "7731"}},
		{"root@edge-3:/var/log/app.log", []string{"root", "edge-3", "var", "log", "app", "log"}},
		{"'stg-bastion'", []string{"stg-bastion"}},
		{"public.orders", []string{"public", "orders"}},
		{"198.51.100.24/32", []string{"198.51.100.24", "32"}},
		{"19.90 EUR, or 10%.", []string{"19.90", "eur", "or", "10"}},
		{"v1.4.3-rc.1 of utils.py", []string{"v1.4.3-rc", "1", "of", "utils", "py"}},
		{"3.tar 2.x 1..2 .5 5.", []string{"3", "tar", "2", "x", "1", "2", "5", "5"}},
		{"a--b a-b a- -b a-_b", []string{"a", "b", "a-b", "a", "b", "a", "b"}},
		{"_id id_ stg__orders _", []string{"id", "id", "stg__orders"}},
		{"UPDATE t SET use='mixed' WHERE parcel!=\"14-207\";", []string{"update", "t", "set", "use", "mixed", "where", "parcel", "14-207"}},
		{"kill -9 2231", []string{"kill", "9", "2231"}},
		{"don't", []string{"don", "t"}},
		{"stg‑bastion prod–db a—b −5", []string{"stg-bastion", "prod-db", "a-b", "5"}},
		{"Zoë Zoe\u0308 ÀÉ", []string{"zoë", "zoë", "àé"}},
		{"１２３ ﬁle", []string{"123", "file"}},
		{"東京 2026年", []string{"東京", "2026年"}},
		{"हिन्दी", []string{"हिन्दी"}},
		{"⚠\ufe0f 1\ufe0f\u20e3 \u0301 x\u0323\u0302", []string{"1\u20e3", "x\u0323\u0302"}},
		{"zero\u200bwidth soft\u00adhyphen", []string{"zerowidth", "softhyphen"}},
		{"a\xffb \xc3", []string{"a", "b"}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, Words(test.s)); diff != "" {
			t.Errorf("Words(%q) (-want +got):\n%s", test.s, diff)
		}
	}
}
