package rollout

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The library believes the sizes that a file states and takes memory for them. What damage or malice can make of a size
// is looked at here first.

// codecs that are read. The library decompresses LZ4 into ever larger memory until it fits, which for damaged bytes is
// never.
var codecs = []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd}

const (
	// footerEnd is the length of the footer and the magic bytes behind it.
	footerEnd = 8
	// pageBounds is a size that a page may have however small it was compressed: that of one long row.
	pageBounds = MaxLine
	// maxPageValues is more than any writer puts on a page, and small enough to hold.
	maxPageValues = 1 << 24
)

// openParquet opens a file whose sizes are possible.
func openParquet(r io.ReaderAt, size int64) (*parquet.File, error) {
	var end [footerEnd]byte
	if _, err := r.ReadAt(end[:], size-footerEnd); err == nil && int64(binary.LittleEndian.Uint32(end[:])) > size-footerEnd {
		return nil, errors.New("the footer is longer than the file")
	}
	f, err := parquet.OpenFile(r, size)
	if err != nil {
		return nil, err
	}
	for _, group := range f.Metadata().RowGroups {
		for i := range group.Columns {
			if err := checkChunk(r, size, &group.Columns[i].MetaData); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// checkChunk reads the headers of all pages of a column.
func checkChunk(r io.ReaderAt, size int64, c *format.ColumnMetaData) error {
	if !slices.Contains(codecs, c.Codec) {
		return fmt.Errorf("compressed with %s, which is not read: write it with ZSTD", c.Codec)
	}
	at := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < at {
		at = c.DictionaryPageOffset
	}
	end := at + c.TotalCompressedSize
	if at < 0 || c.TotalCompressedSize < 0 || end > size {
		return errors.New("a column lies outside the file")
	}
	var protocol thrift.CompactProtocol
	for buffer := bufio.NewReaderSize(nil, 512); at < end; {
		rest := io.NewSectionReader(r, at, end-at)
		buffer.Reset(rest)
		var page format.PageHeader
		if err := thrift.NewDecoder(protocol.NewReader(buffer)).Decode(&page); err != nil {
			return fmt.Errorf("the header of a page: %w", err)
		}
		read, err := rest.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		at += read - int64(buffer.Buffered()) + int64(page.CompressedPageSize)
		if err := checkPage(&page); err != nil || at > end {
			return errors.Join(err, errors.New("a page has an impossible size"))
		}
	}
	return nil
}

func checkPage(page *format.PageHeader) error {
	compressed, plain := int64(page.CompressedPageSize), int64(page.UncompressedPageSize)
	values := max(page.DataPageHeader.V.NumValues, page.DataPageHeaderV2.V.NumValues, page.DictionaryPageHeader.V.NumValues)
	if compressed < 0 || plain < 0 || plain > pageBounds && plain/maxExpansion > compressed || values > maxPageValues {
		return fmt.Errorf("%d bytes expand to %d with %d values", compressed, plain, values)
	}
	return nil
}
