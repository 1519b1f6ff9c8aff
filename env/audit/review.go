package audit

import (
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/privgym/privgym/env/scenario"
)

// Label is what an annotator says of a tool: whether it would do what the user asks, by its name and description alone
// and as if it were the only tool. Tools of either side may be FULLY sufficient.
type Label string

// The labels.
const (
	Fully     Label = "FULLY"
	Partially Label = "PARTIALLY"
	No        Label = "NO"
)

// ReviewRow is one line of an annotator's sheet: one tool of a family's first scenario. No role is shown.
type ReviewRow struct {
	// ID names the row without telling the family.
	ID           string
	Family, Tool string
	Request      string
	Description  string
	Label        Label
	Comment      string
}

var sheetHeader = []string{"row", "request", "tool", "description", "label", "comment"}

// ReviewRows lists the tools of the families in an order that a seed shuffles, so that nothing near a row tells of it.
func ReviewRows(fs []*scenario.Family, seed int64) ([]ReviewRow, error) {
	var rows []ReviewRow
	for _, f := range fs {
		s, err := f.Scenario(0, 0)
		if err != nil {
			return nil, err
		}
		for _, t := range f.Tools {
			rows = append(rows, ReviewRow{
				ID: rowID(0, f.ID, t.Name), Family: f.ID, Tool: t.Name, Request: s.Request, Description: t.Description.S,
			})
		}
	}
	slices.SortFunc(rows, func(a, b ReviewRow) int {
		return cmp.Compare(rowID(seed+1, a.Family, a.Tool), rowID(seed+1, b.Family, b.Tool))
	})
	return rows, nil
}

func rowID(salt int64, family, tool string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "review %d %s %s", salt, family, tool))
	return hex.EncodeToString(sum[:6])
}

// WriteSheet writes rows for an annotator to fill in, as CSV.
func WriteSheet(w io.Writer, rows []ReviewRow) error {
	out := csv.NewWriter(w)
	if err := out.Write(sheetHeader); err != nil {
		return err
	}
	for _, r := range rows {
		if err := out.Write([]string{r.ID, r.Request, r.Tool, r.Description, string(r.Label), r.Comment}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// ReadSheet reads a sheet that an annotator has filled in. Rows without a label are left out; a row that cannot be used is
// an error of its own, with its line, and the others are returned all the same.
func ReadSheet(file string, r io.Reader) ([]ReviewRow, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	header, err := in.Read()
	if err != nil || !slices.Equal(header, sheetHeader) {
		return nil, fmt.Errorf("%s:1: not a review sheet: its first line must be %s", file, strings.Join(sheetHeader, ","))
	}
	var rows []ReviewRow
	var bad []error
	seen := map[string]bool{}
	for {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, errors.Join(bad...)
		}
		line, _ := in.FieldPos(0)
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			bad = append(bad, fmt.Errorf("%s:%d: %w", file, broken.Line, broken.Err))
			continue
		} else if err != nil {
			return rows, errors.Join(append(bad, fmt.Errorf("%s: %w", file, err))...)
		}
		row, err := readRow(fields)
		switch {
		case err != nil:
			bad = append(bad, fmt.Errorf("%s:%d: %w", file, line, err))
		case seen[row.ID]:
			bad = append(bad, fmt.Errorf("%s:%d: row %s stands twice", file, line, row.ID))
		case row.Label != "":
			seen[row.ID] = true
			rows = append(rows, row)
		}
	}
}

func readRow(fields []string) (ReviewRow, error) {
	if len(fields) != len(sheetHeader) {
		return ReviewRow{}, fmt.Errorf("%d fields, want %d", len(fields), len(sheetHeader))
	}
	r := ReviewRow{
		ID: fields[0], Request: fields[1], Tool: fields[2], Description: fields[3],
		Label: Label(strings.ToUpper(strings.TrimSpace(fields[4]))), Comment: strings.TrimSpace(fields[5]),
	}
	if !slices.Contains([]Label{"", Fully, Partially, No}, r.Label) {
		return r, fmt.Errorf("label %.40q is none of FULLY, PARTIALLY, NO", r.Label)
	}
	return r, nil
}

// Verdict on one tool by two annotators, and a third where they differ.
type Verdict struct {
	ReviewRow
	// A, B and C are the labels given; C is empty where nobody was asked.
	A, B, C Label
	// Label of the embedded row is the one that holds: that of the first two where they agree, else the third's; empty
	// while a dispute is open.
	Comments []string
}

// Judge brings the sheets of two annotators and an optional third together, in the order of the rows. Rows that A and B
// did not both label are left out.
func Judge(rows []ReviewRow, a, b, c []ReviewRow) []Verdict {
	byID := func(sheet []ReviewRow) map[string]ReviewRow {
		m := map[string]ReviewRow{}
		for _, r := range sheet {
			m[r.ID] = r
		}
		return m
	}
	inA, inB, inC := byID(a), byID(b), byID(c)
	var out []Verdict
	for _, r := range rows {
		ra, okA := inA[r.ID]
		rb, okB := inB[r.ID]
		if !okA || !okB {
			continue
		}
		v := Verdict{ReviewRow: r, A: ra.Label, B: rb.Label, C: inC[r.ID].Label}
		v.Label = v.C
		if v.A == v.B {
			v.Label = v.A
		}
		for _, comment := range []string{ra.Comment, rb.Comment, inC[r.ID].Comment} {
			if comment != "" {
				v.Comments = append(v.Comments, comment)
			}
		}
		out = append(out, v)
	}
	return out
}
