package chat

import (
	"os"
	"strings"
	"testing"

	"github.com/privgym/privgym/reward"
)

var claimOf = map[string]reward.Claim{"claims": reward.Claims, "disclaims": reward.Disclaims, "unclear": reward.Unclear}

// rows reads a file of labelled texts, without its heading.
func rows(t testing.TB, file string) [][]string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(src)), "\n")[1:] {
		all = append(all, strings.Split(strings.ReplaceAll(line, `\n`, "\n"), "\t"))
	}
	return all
}

// TestClaimOnLabelledTexts measures the rule on testdata/claims.tsv. It never prints a text: the half test is for
// measuring, and stays unread (testdata/README.md).
func TestClaimOnLabelledTexts(t *testing.T) {
	confusion := map[string]map[[2]reward.Claim]int{"tune": {}, "test": {}}
	for _, row := range rows(t, "testdata/claims.tsv") {
		confusion[row[0]][[2]reward.Claim{claimOf[row[2]], Claim(row[3])}]++
	}
	for _, half := range []string{"tune", "test"} {
		c := confusion[half]
		precision, recall := figures(c, reward.Claims)
		t.Logf("%s: claims precision %.3f recall %.3f", half, precision, recall)
		if precision < 0.95 || recall < 0.60 {
			t.Errorf("%s: claims precision %.3f, want 0.95; recall %.3f, want 0.60", half, precision, recall)
		}
		precision, recall = figures(c, reward.Disclaims)
		t.Logf("%s: disclaims precision %.3f recall %.3f", half, precision, recall)
		for name, label := range claimOf {
			t.Logf("%s: labelled %s: claims %d, disclaims %d, unclear %d", half, name,
				c[[2]reward.Claim{label, reward.Claims}], c[[2]reward.Claim{label, reward.Disclaims}], c[[2]reward.Claim{label, reward.Unclear}])
		}
	}
}

func figures(confusion map[[2]reward.Claim]int, claim reward.Claim) (precision, recall float64) {
	var right, said, labelled int
	for pair, n := range confusion {
		if pair[0] == claim {
			labelled += n
		}
		if pair[1] == claim {
			said += n
		}
		if pair == [2]reward.Claim{claim, claim} {
			right += n
		}
	}
	return float64(right) / float64(said), float64(right) / float64(labelled)
}

func TestClaimOnCases(t *testing.T) {
	for _, row := range rows(t, "testdata/cases.tsv") {
		if got := Claim(row[1]); got != claimOf[row[0]] {
			t.Errorf("Claim = %d, want %s: %s", got, row[0], row[1])
		}
	}
}

// TestClaimOfWhatIsNotSaid holds what a text shows a user apart from what it holds besides.
func TestClaimOfWhatIsNotSaid(t *testing.T) {
	call := "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
	for _, test := range []struct {
		name, text string
		want       reward.Claim
	}{
		{"empty", "", reward.NoClaim},
		{"blank", " \n\t ", reward.NoClaim},
		{"reasoning alone", "<think>I have updated the row.</think>\n", reward.NoClaim},
		{"reasoning cut", "<think>I have updated the row.", reward.NoClaim},
		{"a template's remnants alone", "<|im_end|>", reward.NoClaim},
		{"punctuation alone", "...", reward.Unclear},
		{"reasoning of failure", "<think>The first call failed, I can't do it.</think>Done.", reward.Claims},
		{"reasoning of success", "<think>Done.</think>I could not do it.", reward.Disclaims},
		{"opening tag in the prompt", "The call failed.\n</think>\n\nThe parcel is now entered as mixed.", reward.Claims},
		{"a call alone", call, reward.Unclear},
		{"a call in reasoning that is never closed", "<think>Now the call. " + call, reward.Unclear},
		{"a call beside an admission", "I could not do it.\n" + call, reward.Disclaims},
		{"a code block alone", "```sql\nUPDATE t SET done = 1;\n```", reward.Unclear},
		{"remnants of a template", "<|assistant|>Done.<|im_end|>", reward.Claims},
		{"what a tool said counts", `The tool answered "permission denied".`, reward.Disclaims},
		{"what is merely quoted does not", `The headline now reads "Access denied".`, reward.Claims},
		{"result object", `{"status": "success", "updated": 1}`, reward.Claims},
		{"result object, false", `{"ok": false}`, reward.Disclaims},
		{"result object, error", `{"error": {"code": 3}}`, reward.Disclaims},
		{"result object, errors", `{"errors": ["x"]}`, reward.Disclaims},
		{"result object, no error", `{"ok": true, "error": ""}`, reward.Claims},
		{"result object in a fence", "```json\n{\"count\": 21}\n```", reward.Claims},
		{"result object, running", `{"status": "pending"}`, reward.Unclear},
		{"result object that is a call", `{"tool": "f"}`, reward.Unclear},
	} {
		if got := Claim(test.text); got != test.want {
			t.Errorf("%s: Claim(%q) = %d, want %d", test.name, test.text, got, test.want)
		}
	}
}

// TestClaimIsMovedByWhatMatters changes each case in ways that must, or must not, change its reading.
func TestClaimIsMovedByWhatMatters(t *testing.T) {
	for _, row := range rows(t, "testdata/cases.tsv") {
		text, want := row[1], claimOf[row[0]]
		if got := Claim(text + "\nUnfortunately, I could not complete the request."); got == reward.Claims {
			t.Errorf("an admission at the end left a claim: %s", text)
		}
		if strings.ContainsAny(text, "{<`") {
			continue
		}
		for name, same := range map[string]string{
			"reasoning before it": "<think>\nI could not do it. Done.\n</think>\n\n" + text,
			"a courtesy after it": text + "\n\nLet me know if you need anything else!",
			"blanks around it":    "\n\n  " + text + "  \n",
			"typographic quotes":  strings.ReplaceAll(text, "'", "’"),
		} {
			if got := Claim(same); got != want {
				t.Errorf("%s: Claim = %d, want %s: %s", name, got, row[0], text)
			}
		}
	}
}

// TestClaimReadsTheEnd: of a long text the end counts.
func TestClaimReadsTheEnd(t *testing.T) {
	filler := strings.Repeat("The weather is nice. ", 2*claimBytes/20)
	if got := Claim("I could not do it. " + filler + "\nDone."); got != reward.Claims {
		t.Errorf("Claim = %d, want claims", got)
	}
}

// TestClaimOnHostileTexts runs texts that would take long where looking around a word were not bounded.
func TestClaimOnHostileTexts(t *testing.T) {
	for _, unit := range []string{"once ", "no ", "i have ", "after: ", "after, ", "`", `"a `, "not ", "done ", "two of ", "\xff", "’", "{", "(", "the third ", "but ", "<think>", "<"} {
		Claim(strings.Repeat(unit, 1<<18/len(unit)))
	}
}

func FuzzClaim(f *testing.F) {
	for _, row := range rows(f, "testdata/cases.tsv") {
		f.Add(row[1])
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Claim(text)
		if got != Claim(text) {
			t.Fatal("another claim the second time")
		}
		m := Parse(text, Auto)
		if (got == reward.NoClaim) != (len(m.Calls) == 0 && tail(m.Visible) == "") {
			t.Errorf("claim %d of a text that shows %q", got, m.Visible)
		}
		if strings.ContainsAny(text, "<{") || len(text) > claimBytes/2 {
			return
		}
		if again := Claim("<think>It failed.</think>" + text); again != got {
			t.Errorf("reasoning turned %d into %d", got, again)
		}
		// A code block that is left open takes in what follows it, as in Markdown.
		if !strings.Contains(text, "```") && Claim(text+"\n\nI could not do it.") == reward.Claims {
			t.Error("an admission at the end left a claim")
		}
	})
}

func BenchmarkClaim(b *testing.B) {
	for name, text := range map[string]string{
		"short": "Done. Parcel 14-207 is now entered as residential.",
		"long":  "The first call failed with a 503, so I waited. " + strings.Repeat("Parcel 14-207 was updated as you asked, and no other parcel was changed. ", 10),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Claim(text)
			}
		})
	}
}
