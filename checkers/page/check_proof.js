// The checker of check_proof.html, for node:  node check_proof.js PROOF.json
// With no file it reads names of files, one a line, from standard input, and prints the exit status of each, one a line.

const fs = require('fs');
const path = require('path');
const readline = require('readline');

const page = fs.readFileSync(path.join(__dirname, 'check_proof.html'), 'utf8');
const code = /^function proofChecker\(\) \{[^]*?^\}$/m.exec(page)[0];
const { check } = new Function(`${code}\nreturn proofChecker();`)();

function checked(file, seen = {}) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(file));
  } catch (error) {
    return { status: 2, message: `unreadable: ${error.message}` };
  }
  return check(text, seen);
}

if (process.argv.length > 3) {
  console.log('one file was expected: node check_proof.js PROOF.json');
  process.exitCode = 2;
} else if (process.argv.length === 3) {
  let words = [];
  const read = (said, lines) => { words = said; lines.forEach((line) => console.log(line)); };
  const holds = (number) => console.log(`${number}. ${words[number - 1]}: holds`);
  const { status, message, left = [] } = checked(process.argv[2], { read, holds });
  [...left, message].forEach((line) => console.log(line));
  process.exitCode = status;
} else {
  readline.createInterface({ input: process.stdin }).on('line', (file) => console.log(checked(file).status));
}
