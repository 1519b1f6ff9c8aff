package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxForeign bounds a JSON file of another program, in bytes. Logs hold whole conversations.
const maxForeign = 512 << 20

// readBounded reads all of r, or fails where that is more than most bytes.
func readBounded(r io.Reader, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d bytes", most)
	}
	return text, err
}

// decodeForeign decodes JSON as Python writes it. An error tells the line, and the field where one has the wrong type.
func decodeForeign(text []byte, v any) error {
	text = nullForNaN(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))
	err := json.Unmarshal(text, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: not JSON: %w", lineOf(text, syntax.Offset), err)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("line %d: a JSON object is wanted, not %s", lineOf(text, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %s is of the wrong type, %s", lineOf(text, kind.Offset), kind.Field, kind.Value)
	}
	return err
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(offset, int64(len(text)))], []byte("\n"))
}

// nullForNaN replaces NaN, Infinity and -Infinity, which Python writes for such numbers and JSON does not have, by null.
// Text that is JSON stays as it is.
func nullForNaN(text []byte) []byte {
	var out []byte // of what stands before done
	done, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == 'N' || c == 'I' || c == '-'):
			for _, name := range []string{"NaN", "-Infinity", "Infinity"} {
				if bytes.HasPrefix(text[i:], []byte(name)) {
					out = append(append(out, text[done:i]...), "null"...)
					i += len(name) - 1
					done = i + 1
					break
				}
			}
		}
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}
