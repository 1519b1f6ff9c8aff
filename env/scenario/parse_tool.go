package scenario

import "slices"

// tools reads the list and says of which tools the parameters were read without a finding.
func (d *decoder) tools(f *Family, nodes []*node) (parametersKnown []bool) {
	clean := d.clean(func() {
		for _, n := range nodes {
			t, known := d.tool(n)
			f.Tools = append(f.Tools, t)
			parametersKnown = append(parametersKnown, known)
		}
	})
	d.uniqueTools(f)
	if clean {
		d.sameAccess(f)
	}
	return parametersKnown
}

// tool reads one entry of `tools`.
func (d *decoder) tool(n *node) (t Tool, parametersKnown bool) {
	t.Line = n.line
	keys := []string{"name", "access", "description", "parameters", "steps", "solve", "reply", "note", "transient", "permanent"}
	if d.imported {
		keys[3], keys[5] = "parameters?", "solve?"
	}
	x, ok := d.fields(n, "a tool", keys...)
	if !ok {
		return t, false
	}
	name := x.lineOf("name")
	t.Name = name.S
	d.toolName(name)
	if x.has("access") {
		t.Access = d.access(x.values["access"])
	}
	t.Description = x.lineOf("description")
	d.description(t.Description)
	if x.has("parameters") {
		parametersKnown = d.clean(func() { t.Parameters = d.parameters(x.values["parameters"]) })
	}
	t.AnyArguments = d.imported && !x.has("parameters")
	for _, s := range x.list("steps", 1, maxSteps) {
		t.Steps = append(t.Steps, d.step(s))
	}
	if x.has("solve") {
		t.Solve = d.solve(x.values["solve"], t.Parameters)
	}
	if x.has("reply") {
		t.Reply = d.reply(x.values["reply"])
	}
	t.Note = x.lineOf("note")
	t.Transient = x.lines("transient", maxItems)
	t.Permanent = x.lines("permanent", maxItems)
	return t, parametersKnown || t.AnyArguments
}

// solve reads the arguments that do the job. A list is the elements of an array, else spellings.
func (d *decoder) solve(n *node, params []Parameter) []Solution {
	var out []Solution
	for _, e := range d.entries(n, "`solve`", 0, maxParameters) {
		s := Solution{Line: e.line, Param: e.key}
		i := slices.IndexFunc(params, func(p Parameter) bool { return p.Name == e.key })
		array := i >= 0 && params[i].Type == Array
		switch {
		case array:
			for _, v := range d.list(e.value, "`"+clip(e.key)+"`, an array,", 0, maxItems) {
				s.List = append(s.List, d.lineText(v, "an element of `"+clip(e.key)+"`"))
			}
		case e.value.shape == list:
			for _, v := range d.list(e.value, "`"+clip(e.key)+"`", 1, maxItems) {
				s.Spellings = append(s.Spellings, d.lineText(v, "a spelling of `"+clip(e.key)+"`"))
			}
		default:
			s.Spellings = []Text{d.lineText(e.value, "`"+clip(e.key)+"`")}
		}
		out = append(out, s)
	}
	return out
}

// replyForms in the order of ReplyForm, after FormText.
var replyForms = []string{"json", "table", "csv", "line"}

// String is the word of the family format: text, json, table, csv or line.
func (f ReplyForm) String() string {
	switch {
	case f == FormText:
		return "text"
	case f > FormText && f <= FormLine:
		return replyForms[f-FormJSON]
	}
	return ""
}

func (d *decoder) reply(n *node) Reply {
	r := Reply{Line: n.line}
	x, ok := d.fields(n, "`reply`", "form?", "text?", "none?")
	if !ok {
		return r
	}
	if x.has("form") == x.has("text") {
		d.find(n.line, "`reply` has either `form`, which is %s, or `text`", enumerate(replyForms, "or"))
	}
	switch {
	case x.has("text"):
		r.Form, r.Text = FormText, x.text("text")
	case x.has("form"):
		r.Form = FormJSON + ReplyForm(max(0, x.word("form", replyForms...)))
	}
	if x.has("none") {
		r.None, r.HasNone = x.text("none"), true
	}
	return r
}

func (d *decoder) uniqueTools(f *Family) {
	lines := map[string]int{}
	for _, t := range f.Tools {
		if first, twice := lines[t.Name]; twice && t.Name != "" {
			d.find(t.Line, "tool `%s` stands twice, first in line %d; rename one", clip(t.Name), first)
			continue
		}
		lines[t.Name] = t.Line
	}
}

// sameAccess refuses a rank beside dimensions: the two cannot be compared.
func (d *decoder) sameAccess(f *Family) {
	for _, t := range f.Tools[min(1, len(f.Tools)):] {
		if (t.Access.Rank == 0) != (f.Tools[0].Access.Rank == 0) {
			d.find(t.Line, "some tools have `level` and others dimensions; write the access of all in one way")
			return
		}
	}
}
