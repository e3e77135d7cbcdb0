build: hello

hello: hello.c
	$(CC) $(CFLAGS) -o $@ $<

.PHONY: build
