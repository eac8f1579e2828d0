import { PageHeader } from '../../components/page-header.tsx';
import { usePerson } from '../../environment.ts';
import { TokenList } from './token-list.tsx';

export function Tokens() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader
        title="Tokens"
        lead={
          isAdministrator
            ? 'Every access token that was issued and not revoked. Expired ones are listed until they are removed.'
            : 'The access tokens that were issued in your name. Expired ones are listed until they are removed.'
        }
      />
      <TokenList />
    </>
  );
}
