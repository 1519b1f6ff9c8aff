package world

import "github.com/privgym/privgym/env/scenario"

// Encode writes arguments as canonical JSON: parameters in the tool's order, numbers with the digits given. Parse reads it
// back as the same arguments.
func (w *World) Encode(tool int, a Arguments) string {
	out := []byte{'{'}
	for i := range a.values {
		out = w.tools[tool].params[i].appendMember(out, a.values[i].elements())
	}
	return string(append(out, '}'))
}

// Solution returns the solving arguments of a tool as canonical JSON, with the first spelling of each.
func (w *World) Solution(tool int) string {
	out := []byte{'{'}
	for i := range w.tools[tool].params {
		if p := &w.tools[tool].params[i]; len(p.solution) > 0 {
			out = p.appendMember(out, p.solution)
		}
	}
	return string(append(out, '}'))
}

// appendMember appends the parameter's name and value to an object that is being written: the first text, or all of them
// where it is an array.
func (p *parameter) appendMember(dst []byte, texts []string) []byte {
	if len(dst) > 1 {
		dst = append(dst, ',')
	}
	dst = append(appendQuoted(dst, p.Name), ':')
	if p.Type != scenario.Array {
		return appendScalar(dst, texts[0], p.Type)
	}
	for i, text := range texts {
		dst = append(dst, "[,"[min(i, 1)])
		dst = appendScalar(dst, text, p.Items)
	}
	return append(dst, ']')
}

func appendScalar(dst []byte, text string, as scenario.Type) []byte {
	number := (as == scenario.Integer || as == scenario.Number) && numeral(text)
	if number || as == scenario.Boolean && (text == "true" || text == "false") {
		return append(dst, text...)
	}
	return appendQuoted(dst, text)
}
