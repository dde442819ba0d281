# Writes the files of this folder: Rscript make.R, in this folder. They are tiny and hold no data
# of others. The draws are the same in all files: see draws() in tests/formats/r/test_r.py.

draw <- function(b, k) {
  # Entry (i, j) of draw b is 1 where i + b is divisible by j + 1; the last column is empty.
  m <- outer(1:5, seq_len(k), function(i, j) as.numeric((i + b) %% (j + 1) == 0))
  if (k > 0) m[, k] <- 0
  rownames(m) <- c("ann", "bob", "cy", "dee", "eve")
  m
}
draws <- lapply(1:6, function(b) draw(b, (b - 1) %% 5))

# All containers and versions.
for (version in 2:3) {
  for (compress in c("gzip", "bzip2", "xz")) {
    saveRDS(draws, sprintf("draws.v%d.%s.rds", version, compress), version = version,
            compress = compress)
  }
  saveRDS(draws, sprintf("draws.v%d.plain.rds", version), version = version, compress = FALSE)
  saveRDS(draws, sprintf("draws.v%d.ascii.rds", version), version = version, ascii = TRUE,
          compress = FALSE)
  save(draws, file = sprintf("draws.v%d.RData", version), version = version)
}
save(draws, file = "draws.ascii.rda", ascii = TRUE)
connection <- file("draws.native.rds", "wb")
serialize(draws, connection, xdr = FALSE)
close(connection)

# Types of numbers.
plain <- lapply(draws, unname)
saveRDS(lapply(plain, function(m) { storage.mode(m) <- "integer"; m }), "integer.rds")
saveRDS(lapply(plain, function(m) m == 1), "logical.rds")
saveRDS(lapply(draws[-1], as.data.frame), "frames.rds")
permuted <- lapply(seq_along(draws), function(b) draws[[b]][order((1:5 + b) %% 5), , drop = FALSE])
saveRDS(permuted, "permuted.rds")

# A workspace with all that may lie around; the environment of the functions comes with them.
samplesA <- draws
samplesB <- rev(plain)
truth <- draw(1, 3)
sequence <- 1:2000
reals <- seq(2, 20, by = 2)
names <- as.character(1:3)
wrapped <- .Internal(wrap_meta(c(3, 1, 2), FALSE, FALSE))
nothing <- NULL
one <- function(x, ...) { y <- x + 1; for (i in seq_len(3)) y <- y * i; y }
compiled <- compiler::cmpfun(function(x) if (x > 0) compiled(x - 1) + x else sum(1, x, 2))
environment <- new.env()
assign("self", environment, environment)
closure <- local({ hidden <- 1:3; function() hidden })
formula <- y ~ x + z
call <- quote(f(a, b = 2, g(c)))
kinds <- factor(c("u", "v", "u"))
complex <- complex(real = 1:2, imaginary = 3)
bytes <- as.raw(1:3)
words <- c("caf\u00e9", NA, "a b\n\"c\"")
latin <- iconv("caf\u00e9", "UTF-8", "latin1")
missing <- c(1L, NA, 3L)
holes <- c(1.5, NA, Inf)
object <- setClass("Thing", representation(size = "numeric"))(size = 2)
table <- data.frame(id = 1:3, kind = kinds)
table$m <- matrix(1:6, 3)
tibble <- structure(list(id = 1:2, z = draws[5:6]), class = c("tbl_df", "tbl", "data.frame"),
                    row.names = c(NA, -2L))
builtin <- sum
for (version in 2:3) {
  save(list = c("samplesA", "samplesB", "truth", "sequence", "reals", "names", "wrapped", "nothing",
                "one", "compiled", "environment", "closure", "formula", "call", "kinds", "complex",
                "bytes", "words", "latin", "missing", "holes", "object", "table", "tibble",
                "builtin"),
       file = sprintf("workspace.v%d.RData", version), version = version, compress = "xz")
}

# Chains of trees, as samplers of clones save them, with parameters of the features.
tree <- function(b, k) {
  z <- draw(b, k)
  attr(z, "parameters") <- matrix(b + seq_len(2 * k) / 10, k, 2,
                                  dimnames = list(NULL, c("mean", "sd")))
  list(Z = z, P = matrix(0.5, k, 2), likelihood = -b)
}
chains <- lapply(1:2, function(c) lapply(1:3, function(b) tree(3 * (c - 1) + b, b)))
saveRDS(list(post = list(chains[[1]], 7), chains = chains, note = "two chains"), "chains.rds")

# Arrays.
stack <- array(0, c(6, 5, 7))
for (b in 1:6) for (k in seq_len(ncol(draws[[b]]))) stack[b, , k] <- draws[[b]][, k]
saveRDS(stack, "stack.rds")
saveRDS(aperm(stack, c(2, 3, 1)), "stack.nkb.rds")
saveRDS(list(Z = stack, K = sapply(draws, ncol)), "stack.sized.rds")
named <- stack
dimnames(named) <- list(iteration = NULL, item = rownames(draws[[1]]), feature = NULL)
saveRDS(named, "stack.named.rds")

# Near misses.
saveRDS(lapply(plain[-1], t), "transposed.rds")
saveRDS(c(plain[2:4], list(plain[[4]] + 1)), "half.rds")
holed <- plain[2:4]
holed[[2]][3, 1] <- NA
saveRDS(holed, "missing.rds")
saveRDS(lapply(holed, function(m) { storage.mode(m) <- "integer"; m }), "missing.integer.rds")
other <- draws
rownames(other[[3]])[2] <- "bert"
saveRDS(other, "labels.rds")
bare <- draws
rownames(bare[[2]]) <- NULL
saveRDS(bare, "bare.rds")
saveRDS(lapply(plain, function(m) m[, seq_len(min(ncol(m), 1))]), "dropped.rds")
unfilled <- vector("list", 4)
unfilled[1:3] <- plain[2:4]
saveRDS(unfilled, "unfilled.rds")
saveRDS(list(), "empty.rds")
saveRDS(1:3, "numbers.rds")

# Sparse matrices, with the slots that the package Matrix gives them.
setClass("dgCMatrix", representation(i = "integer", p = "integer", Dim = "integer",
                                     Dimnames = "list", x = "numeric", factors = "list"))
sparse <- function(m) {
  at <- which(m == 1, arr.ind = TRUE)
  new("dgCMatrix", i = unname(at[, 1]) - 1L, p = as.integer(c(0, cumsum(colSums(m)))),
      Dim = dim(m), Dimnames = list(rownames(m), NULL), x = rep(1, nrow(at)))
}
saveRDS(lapply(draws[-1], sparse), "sparse.rds")
