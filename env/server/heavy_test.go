//go:build heavy

package server

func init() { cancelledCalls = 10_000 }
