# Runs the R package fangs on draws written by r_fangs.py and prints what it found.
# Arguments: file, nInit, nSweet, nIterations, maxSeconds, nCores, seed, quiet (0 or 1), a.
suppressPackageStartupMessages(library(fangs))
given <- commandArgs(trailingOnly = TRUE)
value <- as.numeric(given[-1])
file <- file(given[1], "rb")
size <- readBin(file, "integer", 2L)  # items, draws
width <- readBin(file, "integer", size[2])
samples <- lapply(width, function(k) {
  entries <- readBin(file, "integer", size[1] * k, size = 1L, signed = FALSE)
  matrix(as.double(entries), nrow = size[1])
})
close(file)
set.seed(value[6])
cat("BEGIN\n")
flush(stdout())
began <- proc.time()[["elapsed"]]
found <- fangs(samples,
  nInit = value[1], nSweet = value[2], nIterations = value[3],
  maxSeconds = value[4], nCores = value[5], quiet = value[7] == 1, a = value[8]
)
elapsed <- proc.time()[["elapsed"]] - began
cat(sprintf(
  "\nRESULT %.17g %.6f %.6f %.6f %d %d\n", found$expectedLoss, elapsed,
  found$secondsInitialization, found$secondsSweetening, found$nIterations - 1L,
  ncol(found$estimate)
))
cat("ESTIMATE", as.integer(found$estimate), "\n")
