package value_test

import (
	"fmt"

	"github.com/privgym/privgym/env/value"
)

func ExampleEqual() {
	fmt.Println(value.Equal("'STG_bastion'", "stg-bastion", value.Plain))
	fmt.Println(value.Equal("12 March 2026", "2026-03-12", value.Date))
	fmt.Println(value.Equal("90 min", "1.5 hours", value.Duration))
	// Output:
	// true
	// true
	// true
}

func ExampleContains() {
	query := "SELECT status FROM public.orders WHERE id = 048213"
	fmt.Println(value.Contains(query, "id 48213"), value.Contains(query, "order"), value.Contains(query, "!="))
	// Output: true false false
}

func ExampleStandsFor() {
	host, ok := value.StandsFor("root@edge-3", []string{"edge-3", "edge-31"}, value.Plain)
	fmt.Println(host, ok)
	// Output: edge-3 true
}
