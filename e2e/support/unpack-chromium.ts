import { fileURLToPath } from 'node:url';
import packed, { inflate } from '@sparticuz/chromium';

// Unpacks the browser of the package, its libraries and its fonts into the folder for temporary files.
await packed.executablePath();
await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))));
