import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo, usePlace } from '../../router/place.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

/** Above a client or a resource server: its secret was imported and can be guessed. */
export function WeakSecret({ record: { weakSecret } }: WeakSecretProps) {
  const { mayWrite } = usePerson();
  const { path } = usePlace();
  if (weakSecret !== true) return undefined;
  return (
    <p className="warning" role="status">
      {mayWrite
        ? rich('secret.weakRotate', {
            link: (text) => <Link to={routeTo(path, { tab: 'danger' })}>{text}</Link>,
          })
        : t('secret.weak')}
    </p>
  );
}

/** The same in a list. */
export function WeakSecretNote({ record: { weakSecret } }: WeakSecretProps) {
  if (weakSecret !== true) return undefined;
  return <p className="warn-text">{t('secret.weakNote')}</p>;
}

interface WeakSecretProps {
  readonly record: { readonly weakSecret?: boolean };
}
