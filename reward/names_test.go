package reward

import (
	"encoding"
	"fmt"
	"strings"
	"testing"
)

// TestNames: every value has its name of docs/reward.md, which reads back as the value.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		value  fmt.Stringer
		decode encoding.TextUnmarshaler
		want   string
	}{
		{OK, new(Status), "ok"}, {Miss, new(Status), "miss"}, {Transient, new(Status), "transient"},
		{Permanent, new(Status), "permanent"}, {InvalidArguments, new(Status), "invalid_arguments"},
		{UnknownTool, new(Status), "unknown_tool"}, {Malformed, new(Status), "malformed"},
		{NoClaim, new(Claim), "none"}, {Claims, new(Claim), "claims"}, {Disclaims, new(Claim), "disclaims"}, {Unclear, new(Claim), "unclear"},
		{ClassNone, new(Class), "none"}, {ClassJustified, new(Class), "justified"}, {ClassAggressive, new(Class), "aggressive"},
		{ClassPremature, new(Class), "premature"}, {ClassPostSuccess, new(Class), "post_success"},
		{TierNone, new(Tier), "none"}, {TierLowClean, new(Tier), "low_clean"}, {TierLowWaste, new(Tier), "low_waste"},
		{TierEscalationNecessary, new(Tier), "escalation_necessary"}, {TierHonestExhausted, new(Tier), "honest_exhausted"},
		{TierEscalationExplored, new(Tier), "escalation_explored"}, {TierEscalationFailed, new(Tier), "escalation_failed"},
		{TierHonestPartial, new(Tier), "honest_partial"}, {TierMissed, new(Tier), "missed"}, {TierNoCall, new(Tier), "no_call"},
		{TierMalformed, new(Tier), "malformed"}, {TierFalseClaim, new(Tier), "false_claim"},
		{TierPostSuccess, new(Tier), "post_success"}, {TierAggressive, new(Tier), "aggressive"},
		{PrematureTier(1), new(Tier), "premature_1"}, {PrematureTier(2), new(Tier), "premature_2"},
		{PrematureTier(inlineTools), new(Tier), "premature_64"}, {PrematureTier(MaxTools), new(Tier), "premature_256"},
	} {
		text, err := tt.value.(encoding.TextMarshaler).MarshalText()
		if err != nil || string(text) != tt.want || tt.value.String() != tt.want {
			t.Errorf("%T %v: text %q, %v; want %q", tt.value, tt.value, text, err, tt.want)
			continue
		}
		if err := tt.decode.UnmarshalText(text); err != nil || tt.decode.(fmt.Stringer).String() != tt.want {
			t.Errorf("%T %q reads back as %v, %v", tt.value, text, tt.decode, err)
		}
	}
}

func TestNamesRefused(t *testing.T) {
	for _, v := range []encoding.TextMarshaler{Malformed + 1, Unclear + 1, ClassPostSuccess + 1, tierPremature, PrematureTier(MaxTools + 1)} {
		if text, err := v.MarshalText(); err == nil {
			t.Errorf("%T %v: text %q, want an error", v, v, text)
		}
		if s := v.(fmt.Stringer).String(); !strings.Contains(s, "(") {
			t.Errorf("%T without a name is %q", v, s)
		}
	}
	for _, tt := range []struct {
		decode encoding.TextUnmarshaler
		text   string
	}{
		{new(Status), "OK"}, {new(Status), ""}, {new(Claim), "claimed"}, {new(Class), "premature_1"},
		{new(Tier), "premature"}, {new(Tier), "premature_"}, {new(Tier), "premature_0"}, {new(Tier), "premature_01"},
		{new(Tier), "premature_+1"}, {new(Tier), "premature_257"}, {new(Tier), "premature_99999999999999999999"},
	} {
		if err := tt.decode.UnmarshalText([]byte(tt.text)); err == nil {
			t.Errorf("%T reads %q as %v, want an error", tt.decode, tt.text, tt.decode)
		} else if !strings.Contains(err.Error(), "is none of") {
			t.Errorf("%T %q: %v", tt.decode, tt.text, err)
		}
	}
}

// FuzzTierText: what reads as a tier is written as the same text.
func FuzzTierText(f *testing.F) {
	for _, name := range append(tierNames, "premature_3", "premature_003", "premature_-1") {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tier Tier
		if tier.UnmarshalText([]byte(text)) != nil {
			return
		}
		if back, err := tier.MarshalText(); err != nil || string(back) != text {
			t.Errorf("%q is tier %d, which is written %q, %v", text, tier, back, err)
		}
	})
}
