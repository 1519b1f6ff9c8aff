package server

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
)

// TestThreatModelNamesEveryLimit compares the table of docs/threat-model.md with what Describe tells by default.
func TestThreatModelNamesEveryLimit(t *testing.T) {
	page := must(os.ReadFile("../../docs/threat-model.md"))(t)
	told := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (\\S+) \\|").FindAllSubmatch(page, -1) {
		told[string(row[1])] = string(row[2])
	}
	limits := newServer(t).about.GetLimits().ProtoReflect()
	fields := limits.Descriptor().Fields()
	for i := range fields.Len() {
		field := fields.Get(i)
		is := fmt.Sprint(limits.Get(field).Interface())
		if field.Kind() == protoreflect.MessageKind {
			is = limits.Get(field).Message().Interface().(*durationpb.Duration).AsDuration().String()
		}
		if name := string(field.Name()); told[name] != is {
			t.Errorf("%s is %s; the page says %q", name, is, told[name])
		}
	}
	if len(told) != fields.Len() {
		t.Errorf("the page tells %d limits, there are %d", len(told), fields.Len())
	}
}
