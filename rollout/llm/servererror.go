package llm

import (
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// serverError is what a server says went wrong.
type serverError struct {
	// status of the response, or the code that an error in a 200 answer names; 0 where it names none.
	status int
	// kind is its type and code; detail what a host forwards from the server behind it.
	kind, message, detail string
}

func (e *serverError) Error() string { return e.message }

// readServerError reads the body of an error: an object in one of several shapes, text, a page, or nothing.
func readServerError(body []byte) *serverError {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return &serverError{message: plainText(string(body))}
	}
	e := readErrorObject(fields)
	if e.message == "" {
		e.message = strings.TrimSpace(string(body))
	}
	return e
}

// readErrorObject reads {"error": {…}}, {"error": "…"}, {"message": …}, {"detail": …} and their like.
func readErrorObject(fields map[string]json.RawMessage) *serverError {
	var inner map[string]json.RawMessage
	if json.Unmarshal(fields["error"], &inner) == nil && inner != nil {
		fields = inner
	}
	e := &serverError{kind: strings.ToLower(text(fields["type"]) + " " + text(fields["code"]))}
	var code int
	if json.Unmarshal(fields["code"], &code) == nil && code >= 400 && code < 600 {
		e.status = code
	}
	for _, name := range []string{"message", "error", "detail", "msg", "errors"} {
		raw := fields[name]
		if e.message = text(raw); e.message == "" && isSet(raw) {
			e.message = string(raw)
		}
		if e.message != "" {
			break
		}
	}
	var metadata map[string]json.RawMessage
	if json.Unmarshal(fields["metadata"], &metadata) == nil {
		e.detail = text(metadata["raw"])
	}
	if e.detail != "" {
		e.message += ": " + e.detail
	}
	return e
}

// text returns what a JSON string holds, and nothing for other values.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

var (
	pageTitle  = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	pageHidden = regexp.MustCompile(`(?is)<(?:script|style)[^>]*>.*?</(?:script|style)>`)
	pageTag    = regexp.MustCompile(`<[^>]*>`)
)

// plainText returns the title or the text of a page, other text as it is, and says so where there is none.
func plainText(body string) string {
	if m := pageTitle.FindStringSubmatch(body); m != nil && strings.TrimSpace(m[1]) != "" {
		return "a page: " + strings.TrimSpace(m[1])
	}
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		body = pageTag.ReplaceAllString(pageHidden.ReplaceAllString(body, " "), " ")
	}
	if strings.TrimSpace(body) == "" {
		return "the answer is empty"
	}
	return body
}

// maxMessage bounds the text of an Error, in bytes.
const maxMessage = 300

// tidy makes one short line of what a server said, without control characters and without the key.
func (s *shim) tidy(message string) string {
	if key := string(s.cfg.APIKey); key != "" {
		message = strings.ReplaceAll(message, key, hiddenKey)
	}
	message = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, message)
	message = strings.Join(strings.Fields(message), " ")
	if len(message) <= maxMessage {
		return message
	}
	cut := maxMessage - len("…")
	for !utf8.RuneStart(message[cut]) {
		cut--
	}
	return message[:cut] + "…"
}
