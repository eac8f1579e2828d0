import { follows } from '../statement.ts';

export const writeProofStatements = {
  /** The bytes differ each time: a database does not have to write an unchanged value. */
  proveWritable: follows(
    { filler: 'bytes' },
    `insert into write_proof (id, filler) {values 1, :filler}
      on conflict (id) do update set filler = excluded.filler`,
  ),
};
