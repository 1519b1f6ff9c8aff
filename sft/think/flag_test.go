package think

import "flag"

var (
	update = flag.Bool("update", false, "write golden files anew")
	every  = flag.Bool("every", false, "measure over the families of all splits")
)
