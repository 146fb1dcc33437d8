/** One figure of `npm run bench`, beside the yardstick that was measured in the same run. */
export interface BenchResult {
  name: string;
  ratio: number;
  budget: number;
  stretch?: number;
  higherIsBetter: boolean;
  figures: Record<string, number>;
}
