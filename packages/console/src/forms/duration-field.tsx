import { Button, TextInput } from '@mantine/core';
import { useEnvironment } from '../environment.ts';
import { duration } from '../format/time.ts';
import { problemText } from './fields.tsx';
import type { RecordForm } from './use-record-form.ts';

interface WithDuration {
  readonly expireDuration: number;
  readonly allowedImplicitGrant: boolean;
}

const usual = [
  { label: '15 min', value: 900 },
  { label: '1 h', value: 3600 },
  { label: '8 h', value: 28_800 },
  { label: '1 day', value: 86_400 },
  { label: 'no expiry', value: 0 },
];

/** A number of seconds, with what that is in words. */
export function DurationField<Fields extends WithDuration>({
  form,
  isDisabled = false,
}: {
  readonly form: RecordForm<Fields>;
  readonly isDisabled?: boolean;
}) {
  const name = 'expireDuration' as Extract<keyof Fields, string>;
  const { expireDuration, allowedImplicitGrant } = form.values;
  const { implicitLifetime } = useEnvironment();
  const implicit = allowedImplicitGrant ? ` Implicit tokens expire after ${duration(implicitLifetime)}.` : '';
  const set = (value: number) => form.change({ expireDuration: value } as unknown as Partial<Fields>);
  return (
    <div>
      <TextInput
        size="sm"
        className="duration-input"
        label="Token lifetime in seconds"
        description={expireDuration === 0 ? noExpiry + implicit : inWords(expireDuration)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        disabled={isDisabled}
        value={Number.isNaN(expireDuration) ? '' : String(expireDuration)}
        error={problemText('Token lifetime', form.problemsOf(name))}
        onBlur={() => form.leave(name)}
        onChange={({ currentTarget }) => {
          const digits = currentTarget.value.replaceAll(/\D/g, '').slice(0, 12);
          set(digits === '' ? Number.NaN : Number(digits));
        }}
      />
      {!isDisabled && (
        <div className="quick-choices">
          {usual.map(({ label, value }) => (
            <Button
              key={value}
              size="compact-xs"
              variant="default"
              aria-pressed={value === expireDuration}
              onClick={() => set(value)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}

const noExpiry = 'No expiry: tokens count until they are revoked.';

function inWords(seconds: number): string {
  return Number.isNaN(seconds) ? 'A whole number; 0 = no expiry' : duration(seconds);
}
