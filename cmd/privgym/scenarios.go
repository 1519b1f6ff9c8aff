package main

// scenariosCmd groups what an author of scenarios needs.
type scenariosCmd struct {
	Check  scenariosCheckCmd  `cmd:"" help:"Apply the checks of docs/family-format.md to families."`
	Import scenariosImportCmd `cmd:"" help:"Read another benchmark and say what is wrong with its rows."`
	List   scenariosListCmd   `cmd:"" help:"List scenarios."`
	Show   scenariosShowCmd   `cmd:"" help:"Show a scenario as a model sees it, or with --reveal as the judge does."`
	Review scenariosReviewCmd `cmd:"" help:"Write a sheet for annotators, or read what they said."`
	Stats  scenariosStatsCmd  `cmd:"" help:"Count families and scenarios by split, domain and risk."`
}
