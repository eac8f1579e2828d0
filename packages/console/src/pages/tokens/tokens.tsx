import { PageHeader } from '../../components/page-header.tsx';
import { usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { TokenList } from './token-list.tsx';

export function Tokens() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader title={t('tokens.title')} lead={t(isAdministrator ? 'tokens.leadAll' : 'tokens.leadOwn')} />
      <TokenList />
    </>
  );
}
