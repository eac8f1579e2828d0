import { usePerson } from '../../environment.ts';
import { Link } from '../../router/link.tsx';
import { routeTo, usePlace } from '../../router/place.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

/** Below lines that need a secret: where it is to be had. @param tab of its page that makes a new one */
export function LostSecret({ tab }: { readonly tab: string }) {
  const { mayWrite } = usePerson();
  const { path } = usePlace();
  return (
    <p className="quiet lost-secret">
      {t('secret.lost')}
      {mayWrite && (
        <>
          {' '}
          {rich('secret.lostAdvice', {
            link: (text) => <Link to={routeTo(path, { tab })}>{text}</Link>,
          })}
        </>
      )}
    </p>
  );
}
