// Package bench measures the marks of docs/design.md section 8. Everything that is compared is measured in the same rounds,
// one after the other and in an order that turns from round to round, and every figure is the median over the rounds.
//
// Servers are processes of their own, as they are in use: `privgym serve` with its defaults, and beside it a bare grpc-go
// server (Echo) that gives the same answers without knowing what they mean. The load comes from this process. Marks are
// never tested, since what else the machine does moves every figure; they are printed beside what was measured.
package bench
