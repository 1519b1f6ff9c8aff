package reward

import (
	"fmt"
	"slices"
)

// The names of docs/reward.md, by value.
var (
	statusNames = []string{"ok", "miss", "transient", "permanent", "invalid_arguments", "unknown_tool", "malformed"}
	claimNames  = []string{"none", "claims", "disclaims", "unclear"}
	classNames  = []string{"none", "justified", "aggressive", "premature", "post_success"}
)

// String returns the name in docs/reward.md, such as "invalid_arguments".
func (s Status) String() string { return name("status", statusNames, uint8(s)) }

// MarshalText returns the name of docs/reward.md; a value without one is an error.
func (s Status) MarshalText() ([]byte, error) { return marshalName("status", statusNames, uint8(s)) }

// UnmarshalText reads a name of docs/reward.md.
func (s *Status) UnmarshalText(text []byte) error {
	return unmarshalName((*uint8)(s), "status", statusNames, text)
}

// String returns the name in docs/reward.md, such as "disclaims".
func (c Claim) String() string { return name("claim", claimNames, uint8(c)) }

// MarshalText returns the name of docs/reward.md; a value without one is an error.
func (c Claim) MarshalText() ([]byte, error) { return marshalName("claim", claimNames, uint8(c)) }

// UnmarshalText reads a name of docs/reward.md.
func (c *Claim) UnmarshalText(text []byte) error {
	return unmarshalName((*uint8)(c), "claim", claimNames, text)
}

// String returns the name in docs/reward.md, such as "post_success".
func (c Class) String() string { return name("class", classNames, uint8(c)) }

// MarshalText returns the name of docs/reward.md; a value without one is an error.
func (c Class) MarshalText() ([]byte, error) { return marshalName("class", classNames, uint8(c)) }

// UnmarshalText reads a name of docs/reward.md.
func (c *Class) UnmarshalText(text []byte) error {
	return unmarshalName((*uint8)(c), "class", classNames, text)
}

func name(kind string, names []string, v uint8) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, v)
}

func marshalName(kind string, names []string, v uint8) ([]byte, error) {
	if int(v) < len(names) {
		return []byte(names[v]), nil
	}
	return nil, fmt.Errorf("%s %d has no name: there are %d", kind, v, len(names))
}

func unmarshalName(v *uint8, kind string, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("%s %.40q is none of %q", kind, text, names)
	}
	*v = uint8(i)
	return nil
}
