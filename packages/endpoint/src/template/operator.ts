import { cached } from '../cached.ts';
import { encodeReserved, encodeUnreserved } from './percent-encode.ts';

/** RFC 6570 appendix A */
export interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Of values. `encodeReserved` leaves alone what separates the parts of a URL. */
  readonly encode: (text: string) => string;
}

/** One of `+#./;?&`, or none. */
export const operatorOf = cached((symbol): Operator => {
  const first = symbol.replace('+', '');
  return {
    first,
    separator: first.replace('?', '&').replace(/^#?$/, ','),
    encode: /[+#]/.test(symbol) ? encodeReserved : encodeUnreserved,
  };
});
