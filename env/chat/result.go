package chat

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/privgym/privgym/reward"
)

// resultObject reads a final text that is a JSON object: a flag, a status or an error decides, any other value is an
// answer.
func resultObject(text string) (reward.Claim, bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "```"), "json"), "```")
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil || len(fields) == 0 {
		return 0, false
	}
	for _, key := range []string{"tool", "function", "action", "command", "method"} {
		if _, ok := fields[key]; ok {
			return reward.Unclear, true // a call in a form of its own
		}
	}
	claim := reward.Claims
	for key, value := range fields {
		switch c := resultField(strings.ToLower(key), value); {
		case c == reward.Disclaims:
			return c, true
		case c == reward.Unclear:
			claim = c
		}
	}
	return claim, true
}

// resultField returns Claims for a field that does not speak against success.
func resultField(key string, value any) reward.Claim {
	switch v := value.(type) {
	case bool:
		if !v && slices.Contains(resultFlags, key) {
			return reward.Disclaims
		}
	case string:
		if v != "" && (key == "error" || key == "errors" || key == "exception") {
			return reward.Disclaims
		}
		m := markText(v)
		if key == "status" || key == "state" || key == "phase" || key == "result" || key == "message" || key == "outcome" || key == "detail" {
			if c := weigh(m); c == reward.Disclaims {
				return c
			}
			if m.has(pending, doubt) {
				return reward.Unclear
			}
		}
	case []any:
		if len(v) > 0 && (key == "errors" || key == "failed") {
			return reward.Disclaims
		}
	case map[string]any:
		if len(v) > 0 && key == "error" {
			return reward.Disclaims
		}
	}
	return reward.Claims
}

var resultFlags = []string{"ok", "success", "successful", "done", "completed", "complete", "updated", "created", "deleted", "applied"}
