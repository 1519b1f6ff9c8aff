package rollout

import (
	"sync"

	kzstd "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// PageCodec is Zstandard for the pages of a writer. That of the library keeps a history of 8 MiB in each of several
// encoders, which is more than all else that a writer holds; pages are of 256 KiB.
type PageCodec struct {
	zstd.Codec
	once    sync.Once
	encoder *kzstd.Encoder
	err     error
}

const pageWindow = 1 << 20

// Encode compresses a page.
func (c *PageCodec) Encode(dst, src []byte) ([]byte, error) {
	c.once.Do(func() {
		c.encoder, c.err = kzstd.NewWriter(nil, kzstd.WithEncoderConcurrency(1), kzstd.WithWindowSize(pageWindow),
			kzstd.WithZeroFrames(true), kzstd.WithEncoderCRC(false))
	})
	if c.err != nil {
		return nil, c.err
	}
	return c.encoder.EncodeAll(src, dst[:0]), nil
}
