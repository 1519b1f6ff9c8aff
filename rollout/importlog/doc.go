// Package importlog reads chat logs as records that have not been played yet.
//
// A log has the messages of the OpenAI chat API and names its scenario, but no trace: what its calls did in the world is
// found by playing them again (rollout.Again). Seed and options come from the row where it has them.
//
// Logs differ in everything: where reasoning stands, whether arguments are an object or a string, whether calls are
// fields or text, whether content is a string, a list of parts or null. Text that a model wrote is read by env/chat alone.
// A call that makes no sense is still a call, which the episode answers as malformed; a row that makes none is an error.
package importlog
