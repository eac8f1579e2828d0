import type { Statistics } from '@watchword/admin-client';
import { Bars } from '../../charts/bars.tsx';
import { Card } from './card.tsx';
import { reasonText } from './reasons.ts';

export function Refusals({ refusals }: Pick<Statistics, 'refusals'>) {
  return (
    <Card title="Refused requests">
      {refusals.length === 0 ? (
        <p className="quiet">None since this node was started.</p>
      ) : (
        <>
          <Bars
            label="Refused requests by reason"
            color={3}
            bars={refusals.map(({ reason, requests }) => ({
              key: reason,
              label: <span title={reason}>{reasonText(reason)}</span>,
              value: requests,
            }))}
          />
          <p className="quiet card-note">Of this node, since it was started.</p>
        </>
      )}
    </Card>
  );
}
