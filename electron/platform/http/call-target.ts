/** Where a call went, for messages: `example.test:443`. */
export interface CallTarget {
  hostname: string;
  port: number;
  isTls: boolean;
}
