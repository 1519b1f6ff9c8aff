package fault

import (
	"slices"
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	want := []string{"none", "once", "twice", "outage", "ruled-out", "partial", "mixed"}
	if got := Names(); !slices.Equal(got, want) {
		t.Fatalf("Names() = %q, want %q", got, want)
	}
	for i, name := range want {
		k, err := ParseKind(name)
		if err != nil || k != Kind(i) || k.String() != name {
			t.Errorf("ParseKind(%q) = %v, %v", name, k, err)
		}
	}
	Names()[0] = "changed"
	if None.String() != "none" {
		t.Error("a caller of Names changes the names")
	}
	if got := (Mixed + 1).String(); got != "fault.Kind(7)" {
		t.Errorf("a kind without name is %q", got)
	}
}

func TestParseKindErrors(t *testing.T) {
	for _, name := range []string{"", "None", "ruledout", "mixed "} {
		k, err := ParseKind(name)
		if err == nil || k != None {
			t.Errorf("ParseKind(%q) = %v, %v", name, k, err)
			continue
		}
		for _, part := range append(Names(), "\""+name+"\"") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("the error for %q does not mention %s: %v", name, part, err)
			}
		}
	}
}

func TestSharesAddUp(t *testing.T) {
	sum := 0
	for _, w := range mixture {
		sum += w.share
	}
	if sum != 100 {
		t.Errorf("the shares of the mixture add up to %d", sum)
	}
}

func BenchmarkDraw(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Draw(Mixed, false, "inf-tp-bastion-access/1.1", 42, standard)
	}
}

func BenchmarkAt(b *testing.B) {
	p := Draw(Outage, false, "inf-tp-bastion-access/1.1", 42, standard)
	b.ReportAllocs()
	for b.Loop() {
		p.At(0, 1)
	}
}
