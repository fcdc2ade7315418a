// Writes studio/identity/common.bin: the first five bytes of the SHA-256 of each common password, in
// lower case, sorted. Its one argument is the unpacked npm package @zxcvbn-ts/language-common 4.1.3,
// whose licence is kept beside the file as common.LICENSE.txt.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const list = JSON.parse(readFileSync(`${process.argv[2]}/src/passwords.json`, "utf8"));
const digests = [...new Set(list.map((word) => word.toLowerCase()))]
  .map((word) => createHash("sha256").update(word).digest().subarray(0, 5))
  .sort(Buffer.compare);
writeFileSync("studio/identity/common.bin", Buffer.concat(digests));
