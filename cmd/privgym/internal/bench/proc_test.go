package bench

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestKibibytes(t *testing.T) {
	status := []byte("Name:\tprivgym\nVmHWM:\t   20480 kB\nVmRSS:\t   15012 kB\nBroken:\tmany\nLast:\n")
	for name, want := range map[string]float64{"VmRSS:": 15012 * 1024, "VmHWM:": 20480 * 1024, "Broken:": 0, "Last:": 0, "None:": 0} {
		if got := kibibytes(status, name); got != want {
			t.Errorf("%s %v, want %v", name, got, want)
		}
	}
}

// What Linux tells of this process is what it does; other systems tell nothing, which is no error.
func TestOwnProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		if memoryOf(os.Getpid()).known() || cpuOf(os.Getpid()) != 0 {
			t.Error("known, but from where?")
		}
		return
	}
	const held = 32 << 20
	page := make([]byte, held)
	for i := range page {
		page[i] = 1
	}
	if m := memoryOf(os.Getpid()); m.resident < held || m.peak < m.resident {
		t.Errorf("%+v, with %d bytes held", m, held)
	}
	runtime.KeepAlive(page)
	before := cpuOf(os.Getpid())
	for start := time.Now(); cpuOf(os.Getpid()) == before; {
		if time.Since(start) > time.Minute {
			t.Fatal("a minute of computing does not show")
		}
	}
	if memoryOf(1<<30).known() || cpuOf(1<<30) != 0 {
		t.Error("a process that is not there is known")
	}
}
