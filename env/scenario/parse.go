package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Parse reads one family file. file is the path that findings and errors name. It goes on after a finding to report as
// many as it can, ordered by line; only a family without findings may be used, and it expands in every scenario. The
// Family is nil where nothing in src is usable. Parse never panics, and its work is bounded whatever src holds.
func Parse(file string, src []byte) (*Family, []Finding) {
	d := &decoder{file: file}
	root := d.read(src)
	var f *Family
	if root != nil {
		sum := sha256.Sum256(src)
		f = &Family{File: file, Digest: hex.EncodeToString(sum[:])}
		d.family(f, root)
	}
	sortFindings(d.findings)
	return f, d.findings
}

// nameOf tables, columns and instance values.
var nameOf = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

func (d *decoder) family(f *Family, root *node) {
	x, ok := d.fields(root, "a family",
		"family", "title", "split", "imported?", "requests", "instances", "world", "goal", "answer", "tools")
	if !ok {
		return
	}
	d.id(f, x.lineOf("family"))
	title := x.lineOf("title")
	f.Title = title.S
	if i := x.word("split", Splits()...); i >= 0 {
		f.Split = Splits()[i]
	}
	f.Imported = x.lineOf("imported").S
	d.imported = f.Imported != ""
	r := &references{d: d, family: f}
	r.namesKnown = d.clean(func() { d.instances(f, x) })
	r.literal(title, "the title")
	r.worldKnown = d.clean(func() { d.world(f, x) }) && len(f.Tables) > 0
	least := minRequests
	if d.imported {
		least = 1
	}
	for _, n := range x.list("requests", least, maxRequests) {
		f.Requests = append(f.Requests, d.text(n, "a request"))
	}
	if x.has("goal") {
		nodes := 0
		f.Goal = d.goal(x.values["goal"], &nodes)
	}
	if x.has("answer") {
		f.Answer = d.answer(x.values["answer"])
	}
	r.parametersKnown = d.tools(f, x.list("tools", 1, maxTools))
	r.check()
	if len(d.findings) == 0 {
		d.expandAll(f)
	}
}

// instances reads the values of {name}. Every instance has the same names: a name that one lacks would be unknown in its
// scenarios.
func (d *decoder) instances(f *Family, x fields) {
	least := minInstances
	if d.imported {
		least = 1
	}
	for _, n := range x.list("instances", least, maxInstances) {
		in := Instance{Line: n.line}
		for _, e := range d.entries(n, "an instance", 0, maxColumns) {
			if !nameOf.MatchString(e.key) || e.key == counter {
				d.find(e.line, "`%s` cannot name an instance value; write a lower-case word other than `i`, which counts the rows of `repeat`", clip(e.key))
				continue
			}
			v := d.lineText(e.value, "`"+e.key+"`")
			if utf8.RuneCountInString(v.S) > maxValueRunes {
				d.find(v.Line, "`%s` has more than %d characters; shorten it", e.key, maxValueRunes)
			}
			in.Values = append(in.Values, Pair{Column: e.key, Value: v})
		}
		f.Instances = append(f.Instances, in)
	}
	for _, in := range f.Instances[min(1, len(f.Instances)):] {
		d.sameNames(f.Instances[0], in)
	}
}

func (d *decoder) sameNames(first, in Instance) {
	for _, v := range first.Values {
		if !hasColumn(in.Values, v.Column) {
			d.find(in.Line, "the instance lacks `%s`, which the first has; give every instance the same names", v.Column)
		}
	}
	for _, v := range in.Values {
		if !hasColumn(first.Values, v.Column) {
			d.find(v.Value.Line, "the first instance has no `%s`; give every instance the same names", v.Column)
		}
	}
}

func hasColumn(ps []Pair, column string) bool {
	return slices.ContainsFunc(ps, func(p Pair) bool { return p.Column == column })
}

func (d *decoder) answer(n *node) Answer {
	x, ok := d.fields(n, "`answer`", "text", "key?")
	if !ok {
		return Answer{}
	}
	return Answer{Text: x.text("text"), Keys: x.lines("key", maxItems)}
}
