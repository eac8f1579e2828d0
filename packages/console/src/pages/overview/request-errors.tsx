import type { Statistics } from '@watchword/admin-client';
import { Bars } from '../../charts/bars.tsx';
import { Card } from './card.tsx';
import { errorText } from './error-texts.ts';

export function RequestErrors({ errors }: Pick<Statistics, 'errors'>) {
  return (
    <Card title="Requests with errors">
      {errors.length === 0 ? (
        <p className="quiet">None since this node was started.</p>
      ) : (
        <>
          <Bars
            label="Requests with errors, by error"
            color={3}
            bars={errors.map(({ error, requests }) => ({
              key: error,
              label: <span title={error}>{errorText(error)}</span>,
              value: requests,
            }))}
          />
          <p className="quiet card-note">Of this node, since it was started.</p>
        </>
      )}
    </Card>
  );
}
