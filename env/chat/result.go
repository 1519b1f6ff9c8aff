package chat

import (
	"encoding/json"
	"strings"

	"github.com/privgym/privgym/reward"
)

// resultObject reads a final text that is a JSON object, in a fence or not: a flag, a status or an error decides, any
// other value is an answer. An object that names a tool is a call in a form of its own.
func resultObject(text string) (reward.Claim, bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(text, "```"), "json"), "```")
	var fields map[string]any
	if json.Unmarshal([]byte(text), &fields) != nil || len(fields) == 0 {
		return reward.NoClaim, false
	}
	claim := reward.Claims
	for key, value := range fields {
		key = strings.ToLower(key)
		switch {
		case calling[key]:
			return reward.Unclear, true
		case claim == reward.Disclaims:
		case fails(key, value):
			claim = reward.Disclaims
		case awaits(key, value):
			claim = reward.Unclear
		}
	}
	return claim, true
}

// fails reports whether a field of a result says that it is none.
func fails(key string, value any) bool {
	switch v := value.(type) {
	case bool:
		return !v && succeeding[key]
	case string:
		return v != "" && failing[key] || telltale[key] && weigh(markText(v)) == reward.Disclaims
	case []any:
		return len(v) > 0 && failing[key]
	case map[string]any:
		return len(v) > 0 && failing[key]
	}
	return false
}

// awaits reports whether a field of a result says that it is still to come, or leaves it open.
func awaits(key string, value any) bool {
	v, ok := value.(string)
	if !ok || !telltale[key] {
		return false
	}
	m := markText(v)
	return m.has(pending, doubt)
}
