#!/usr/bin/env node
// npm links a program only if it is there before anything is built.
import './dist/partner-commerce.js'
