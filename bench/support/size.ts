/** How much data a benchmark has: what its targets are of, unless `--grow` asks for another size in its turn. */
export const sizeOr = (usual: number): number => Number(process.env['BENCH_SIZE'] ?? usual);
