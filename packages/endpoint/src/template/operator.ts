/** RFC 6570 appendix A */
export interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Whether names stand before values. */
  readonly isNamed: boolean;
  /** Whether reserved characters stay, those of a path and query among them. */
  readonly isReserved: boolean;
}

/** One of `+#./;?&`, or none. */
export const operatorOf = (symbol: string): Operator => {
  const first = symbol.replace('+', '');
  return {
    first,
    separator: first.replace('?', '&').replace(/^#?$/, ','),
    isNamed: /[;?&]/.test(symbol),
    isReserved: /[+#]/.test(symbol),
  };
};
