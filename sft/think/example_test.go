package think_test

import (
	"fmt"

	"github.com/privgym/privgym/sft/think"
)

func ExampleCheck() {
	tools, err := think.NewToolset([]think.Tool{
		{Name: "update_rider_card", Description: "Updates a field on the card of a rider.",
			Parameters: []think.Parameter{{Name: "rider", Description: "Rider number."}}},
		{Name: "set_street_stop", Description: "Sets the stop that serves a street. Riders on that street are put on it.",
			Parameters: []think.Parameter{{Name: "street", Description: "Street."}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	view := think.View{Request: "Please put rider 33-0086 on stop 83.", Tools: tools}
	block := "`set_street_stop` would move every rider of the street, while `update_rider_card` updates the card of rider 33-0099 only, so I call `set_street_stop`."
	for _, p := range think.Check(view, block, think.Action{Tool: "update_rider_card", Arguments: `{"rider": "33-0086"}`}) {
		fmt.Println(p)
	}
	// Output:
	// value: 33-0099 stands in nothing that was seen
	// conclusion: it decides for set_street_stop, but update_rider_card is called
}
