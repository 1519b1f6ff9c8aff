package think

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFacts reads descriptions of every style that the corpus has.
func TestFacts(t *testing.T) {
	tests := []struct {
		name, description, note string
		want                    []string
	}{
		{"third person", "Sets an attribute of a parcel in the register.", "one parcel", []string{
			"means: one parcel",
			"does: sets an attribute of a parcel in the register",
			"quote: Sets an attribute of a parcel in the register",
		}},
		{"instruction", "Book somebody onto a machine for an hour. Before it says yes it reads the quota.", "reads the quota first", []string{
			"does: reads the quota first",
			"todo: book somebody onto a machine for an hour",
			"quote: Book somebody onto a machine for an hour",
			"quote: Before it says yes it reads the quota",
		}},
		{"a verb that is a noun", "Books at a time, student 12.", "stores on the template go by it", []string{
			"other: stores on the template go by it",
			"quote: Books at a time, student 12",
		}},
		{"capitals", "IC01 INVOICE CARD. WRITES THE LINE OF A DOCUMENT TO THE SCREEN.", "has the sign-on of a clerk", []string{
			"does: has the sign-on of a clerk",
			"quote: WRITES THE LINE OF A DOCUMENT TO THE SCREEN",
		}},
		{"question", "Where is an order going? Gives the address as one line of text.", "", []string{
			"does: gives the address as one line of text",
			"quote: Gives the address as one line of text",
		}},
		{"route", "POST /jobs/:id/retry. Starts a finished job anew, for example after a hiccup.", "the job starts in the name of whoever asks", []string{
			"other: the job starts in the name of whoever asks",
			"does: starts a finished job anew, for example after a hiccup",
			"quote: Starts a finished job anew, for example after a hiccup",
		}},
		{"key", "quotes.update: writes the header discount of a quote.", "lives in the quote", []string{
			"does: lives in the quote",
			"does: writes the header discount of a quote",
			"quote: writes the header discount of a quote",
		}},
		{"clause", "Pins a post to the top of a page.", "the pin has a last day", []string{
			"clause: the pin has a last day",
			"does: pins a post to the top of a page",
			"quote: Pins a post to the top of a page",
		}},
		{"left out", "Done in the name of the purchaser.", "closed by the broker", []string{
			"does: is closed by the broker",
			"does: is done in the name of the purchaser",
			"quote: Done in the name of the purchaser",
		}},
		{"long, a relative clause", "Uses the profile of the purchasing system's administrator, who may change the orders of each buyer in each of the branches at once.", "", []string{
			"does: uses the profile of the purchasing system's administrator",
			"quote: Uses the profile of the purchasing system's administrator",
		}},
		{"long, a list", "Lays a partner, fee, bank account, signatory, penalty, notice, house, category, service, bank code, firm, year, day and hour open.", "", []string{
			"quote: Lays a partner, fee, bank account, signatory, penalty, notice, house, category, service, bank code, firm, year …",
		}},
		{"splice", "Fixes an address, it goes around the driver file.", "", []string{
			"does: fixes an address",
		}},
		{"quotation marks", `Prints what "openstack server show" gives.`, "", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, f := range facts(test.description, test.note) {
				got = append(got, formNames[f.form]+": "+f.text)
			}
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("facts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

func TestNominal(t *testing.T) {
	tests := map[string]form{
		"one rider's card":                              other,
		"every rider who boards at the old stop":        means,
		"a key without a last day":                      means,
		"each market that lists it takes the price":     other,
		"nothing is tested in between":                  other,
		"the file keeps the line":                       clause,
		"the rider the form is about":                   other,
		"the other orders of the wave wait as well":     other,
		"whatever the view shows takes the status on":   other,
		"the technical user of the board does it":       clause,
		"one acts as the physician":                     other,
		"neither lint nor a dry run sees the statement": other,
	}
	for text, want := range tests {
		if got := nominal(text); got != want {
			t.Errorf("%q is a %s, want %s", text, formNames[got], formNames[want])
		}
	}
}

// TestFactsAreTheDescription: a fact of a description holds no word that the description does not hold.
func TestFactsAreTheDescription(t *testing.T) {
	piece := rapid.SampledFrom([]string{
		"Sets", "sets", "Book", "a", "the", "parcel", "of", "block,", "who", "which", "and", "keeps", "it", "is", "done", "by",
		"clerk.", "Done", "For", "REGISTER", "`code`", "x.y:", "-", "…", "“", "(", ")", ";", "e.g.", "7", "as",
	})
	rapid.Check(t, func(t *rapid.T) {
		description := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "pieces"), " ")
		for _, f := range facts(description, "") {
			if f.words > maxFact+1 || f.words < minFact {
				t.Errorf("%q has %d words", f.text, f.words)
			}
			text := strings.TrimSuffix(f.text, " …")
			if f.form == quote && !strings.Contains(description, text) {
				t.Errorf("%q does not stand in %q", text, description)
			}
			text = strings.TrimPrefix(text, "is ")
			if !strings.Contains(strings.ToLower(description), strings.ToLower(text)) {
				t.Errorf("%q does not stand in %q", text, description)
			}
		}
	})
}
