"""Hwang, Yao & Dasgupta, destination graphs."""
