import { createBackend, scores } from './backend.ts';
import { openDocuments } from './documents.ts';
import { createUserVerifier } from './verify-user.ts';

/** Reads what it needs from the environment: the key is in no file of the repository and in no address. */
function setting(name: string): string {
  const value = process.env[name];
  if (!value) {
    console.error(`${name} is missing. See examples/backend/README.md.`);
    process.exit(1);
  }
  return value;
}

const portalUrl = process.env.PORTAL_URL ?? 'http://localhost:8080';
const documents = openDocuments(portalUrl, setting('DOCUMENT_DATABASE'), setting('DOCUMENT_API_KEY'));
await documents.prepare(scores);
const verifyUser = createUserVerifier(portalUrl, setting('PARTNER_CODE'));
const server = createBackend({ documents, verifyUser });
server.listen(Number(process.env.BACKEND_PORT ?? 3000), () => {
  const address = server.address();
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`);
});
