import { insert } from '../operation.ts';
import { follows } from '../statement.ts';

const columns = { filler: 'bytes' } as const;

export const writeProofStatements = {
  /** The bytes differ each time: a database does not have to write an unchanged value. */
  proveWritable: follows(
    columns,
    insert('write_proof', columns, {
      constants: { id: '1' },
      onConflict: { key: ['id'], action: 'do update set filler = excluded.filler' },
    }),
  ),
};
