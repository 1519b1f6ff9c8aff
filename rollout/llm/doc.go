// Package llm asks models behind OpenAI-compatible endpoints.
//
// go-openai supplies the request and response types and the client; an HTTP shim below it (shim.go) does what neither it
// nor the servers do by themselves:
//
//   - What is sent is what was asked for: temperature 0, top_p 0, empty contents and empty arguments are in the body, tools
//     byte for byte, model names and extra fields whatever they are, and earlier reasoning under the name that the server
//     itself uses (mend.go). A history that a server refuses because of what the model wrote is sent once more in a form
//     that it can read (tame.go).
//   - What comes back is read whole and within bounds, streamed or not, in the dialects that servers have (reply.go,
//     stream.go, pieces.go). An answer that was cut is an error, never a short answer.
//   - Failures are tried again a bounded number of times (retry.go), under a deadline for each attempt and one for all, and
//     what is left is an Error of one of three classes (errors.go). A Guard tells a run whether they are of what it asked or
//     of the endpoint as a whole (guard.go).
package llm
