import { follows } from '../statement.ts';

export const heartbeatStatements = {
  /** A replica that has this row has all earlier commits. */
  beat: follows({ now: 'number' }, 'update heartbeat set beaten_at = :now {rows} where id = 1'),
};
