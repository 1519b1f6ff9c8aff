package scenario

// MaxBytes is the size that a family file may have.
const MaxBytes = 256 << 10

// Limits of one family file. They are far above what a family needs (some 105 lines); they bound the work that a hostile
// file can cause.
const (
	maxLines      = 4096
	maxLineBytes  = 2048
	maxTokens     = 20_000
	maxDepth      = 24
	maxRequests   = 20
	maxInstances  = 100
	maxTables     = 16
	maxColumns    = 32
	maxRows       = 200 // of all tables of a scenario together
	maxTools      = 64
	maxParameters = 32
	maxEnum       = 50
	maxSteps      = 32
	maxItems      = 32 // of a guard, of spellings, of fault texts and the like
	maxGoalNodes  = 64
	maxTextRunes  = 2000
	maxValueRunes = 200     // of an instance value
	maxExpanded   = 1 << 20 // bytes of all texts of one scenario
)

// The least that a family holds; imported ones are exempt.
const (
	minRequests  = 2
	minInstances = 3
)
