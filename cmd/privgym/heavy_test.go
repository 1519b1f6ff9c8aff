//go:build heavy

package main

func init() { damages = 60 }
